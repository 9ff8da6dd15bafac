# Looks after the sources. GNUmakefile includes this.

C_FILES     := $(wildcard lib/*.h lib/*/*.[ch] lib/*/*/*.[ch] sampler/*.h sampler/*/*.[ch] xs/*.[ch] xs/*/*.[ch] $(TOOL_DIRS:%=%/*.[ch]) $(TOOL_DIRS:%=%/*/*.[ch]) test/*/*.[ch] test/unit/*/*.c)
SHELL_FILES := completions/nytprof.bash $(shell grep -rlE '^\#! ?(/usr)?/bin/(env )?(ba)?sh' .ci debian test)
PERL_FILES  := $(wildcard test/*/*.t test/lib/*.pm cpan/t/*.t) cpan/Makefile.PL $(PM_SRC) $(shell grep -rlE '^\#!.*perl' .ci cpan sampler test xs --exclude=*.t)

.PHONY: format lint lint-gcc lint-clang lint-c lint-other
format: ## clang-format over all C files, and over the script of reports
	clang-format -i $(C_FILES) $(HTML_JS)

lint: lint-gcc lint-clang lint-c lint-other ## both compilers without a warning, clang-tidy, cppcheck, shellcheck, perl -c, eslint, mandoc

lint-gcc:
	+@$(sub_make) all unit-programs bench-programs BUILD=$(BUILD)/gcc CC=gcc CFLAGS='-O2 -Werror'

lint-clang:
	+@$(sub_make) all unit-programs bench-programs BUILD=$(BUILD)/clang CC=clang CFLAGS='-O1 -Werror'

lint-c:
	$(call say,LINT,clang-tidy)
	$(Q)printf '%s\n' $(filter %.c,$(C_FILES)) | xargs -P2 -n4 sh -c 'clang-tidy --quiet "$$@" -- \
		-std=c11 -D_GNU_SOURCE -Ilib -I. -Ixs $(PERL_CFLAGS) $(WIRE_CFLAGS) $(FASTER_CFLAGS) $(MODEL_CFLAGS) $(GRAPH_CFLAGS) $(SCREEN_CFLAGS) $(HTTP_CFLAGS) $(CMOCKA_CFLAGS) 2>/dev/null' clang-tidy
	$(call say,LINT,cppcheck)
	$(Q)cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr --error-exitcode=1 \
		-Ilib -I. -Ixs -DNYTP_HAVE_ISAL -DNYTP_HAVE_LIBDEFLATE -DaTHX_= '-DElfW(type)=Elf64_##type' $(filter %.c,$(C_FILES))

lint-other: collector $(MAN_PAGES)
	$(call say,LINT,shellcheck)
	$(Q)shellcheck -x $(SHELL_FILES)
	$(call say,LINT,perl -c)
	$(Q)for f in $(PERL_FILES); do NYTPROF=start=no perl -Itest/lib -I$(BUILD)/perl5 -wc $$f 2>&1 | grep -vx "$$f syntax OK" && exit 1; done; :
	$(call say,LINT,eslint)
	$(Q)test/tools/lint-page $(HTML_DIR)/page/join $(HTML_COLUMNS) $(HTML_JS)
	$(call say,LINT,mandoc)
	$(Q)mandoc -T lint -W warning $(MAN_PAGES)

