# The tests, the demo and the benchmarks. GNUmakefile includes this.

# ---- unit tests, and the programs that tests run ---------------------------------

# A unit test is test/unit/FOLDER/NAME.c, in the folder of what it tests, and build/test/unit/FOLDER/NAME.
UNIT_SRC  := $(wildcard test/unit/*/*.c)
UNIT_BINS := $(UNIT_SRC:%.c=$(BUILD)/%)
# A unit test is linked with the library, helpers in test/unit, and what its folder is named after: a program without
# its main, the sampler, or the part of the collector that does not use perl.
UNIT_DIRS := $(sort $(notdir $(patsubst %/,%,$(dir $(UNIT_SRC)))))
UNIT_A    := $(BUILD)/obj/test/unit/helpers.a
modules_of = $(filter-out %/main.o,$(call tool_objs,$(filter $(1) %/$(1),$(TOOL_DIRS))))
MODULES_sampler := $(SAMPLER_SRC:%.c=$(BUILD)/obj/%.o)
MODULES_xs      := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard xs/output/*.c xs/labels/*text.c) xs/basics/alloc.c \
                     xs/heap/imports.c xs/heap/kinds.c)
$(foreach t,$(TOOLS),$(eval MODULES_$(t) := $(call modules_of,$(t))))

$(BUILD)/obj/test/unit/%.o $(BUILD)/obj/test/fuzz/%.o: EXTRA_CFLAGS = $(MODEL_CFLAGS) $(CMOCKA_CFLAGS) -I.
$(BUILD)/obj/test/unit/xs/%.o: EXTRA_CFLAGS += -Ixs
$(BUILD)/obj/test/programs/%.o: EXTRA_CFLAGS = $(MODEL_CFLAGS) -I.

$(UNIT_A): $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard test/unit/*.c))
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

define unit_rule
$(BUILD)/test/unit/$(1)/%: $(BUILD)/obj/test/unit/$(1)/%.o $(MODULES_$(1)) $(UNIT_A) $(LIB_A)
	@mkdir -p $$(@D)
	$$(call say,LD,$$@)
	$$(Q)$$(CC) $$(LD_ALL) -o $$@ $$^ $$(LIBS_$(1)) $$(WIRE_LIBS) $$(MODEL_LIBS) $$(CMOCKA_LIBS)
endef
$(foreach d,$(UNIT_DIRS),$(eval $(call unit_rule,$(d))))

# Prints the chunks of a profile, for a perl test to compare with stock's.
$(BUILD)/test/dump-chunks: $(addprefix $(BUILD)/obj/test/,programs/dump-chunks.o unit/chunk_text.o) $(WIRE_A)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LD_ALL) -o $@ $^ $(WIRE_LIBS)

# Prints a profile as the library sums it up, or the sum of several.
$(BUILD)/test/sum-profiles: $(BUILD)/obj/test/programs/sum-profiles.o $(LIB_A)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LD_ALL) -o $@ $^ $(WIRE_LIBS) $(MODEL_LIBS)

# Samples a perl that executes one instruction after another.
$(BUILD)/test/sample-steps: $(BUILD)/obj/test/programs/sample-steps.o $(MODULES_sampler) $(LIB_A)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LD_ALL) -o $@ $^ $(WIRE_LIBS) $(MODEL_LIBS)

# Loaded into programs before libc, to make calls fail, or to undo what valgrind changes.
$(BUILD)/test/%.so: test/programs/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(C_ALL) -shared -fvisibility=default -o $@ $< -ldl

# Starts the programs of the tests. Its children have its memory for a moment, which sanitizers do not expect.
$(BUILD)/test/spawn: test/programs/spawn.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(filter-out $(SANITIZER_FLAGS),$(C_ALL)) -o $@ $<

# The fuzz targets, driven by files. `make fuzz` links them with libFuzzer instead.
FUZZ_SRC   := $(wildcard test/fuzz/fuzz-*.c)
REPLAYS    := $(FUZZ_SRC:test/fuzz/%.c=$(BUILD)/test/%)
FUZZERS    := $(FUZZ_SRC:test/fuzz/%.c=$(BUILD)/fuzzers/%)
FUZZ_NEEDS := $(BUILD)/obj/test/fuzz/fuzz.o $(UNIT_A) $(LIB_A)
MODULES_layouts := $(MODULES_sampler)
MODULES_labels  := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard xs/labels/*text.c))
MODULES_nytprofhtml-diff := $(MODULES_nytprofhtml)
MODULES_exports := $(foreach t,nytp-pprof nytp-speedscope nytp-trace,$(MODULES_$(t)))

define fuzz_rule
$(BUILD)/test/$(1): $(BUILD)/obj/test/fuzz/replay.o
$(BUILD)/fuzzers/$(1): LD_FUZZER = -fsanitize=fuzzer
$(BUILD)/test/$(1) $(BUILD)/fuzzers/$(1): $(BUILD)/obj/test/fuzz/$(1).o $(MODULES_$(1:fuzz-%=%)) $(FUZZ_NEEDS)
	@mkdir -p $$(@D)
	$$(call say,LD,$$@)
	$$(Q)$$(CC) $$(LD_ALL) $$(LD_FUZZER) -o $$@ $$(filter %.o,$$^) $$(UNIT_A) $$(LIB_A) \
		$$(LIBS_$(1:fuzz-%=%)) $$(WIRE_LIBS) $$(MODEL_LIBS) $$(CMOCKA_LIBS)
endef
$(foreach f,$(FUZZ_SRC:test/fuzz/%.c=%),$(eval $(call fuzz_rule,$(f))))

# These fuzz the reader with bytes that need not be a profile.
BYTE_FUZZERS := $(addprefix $(BUILD)/fuzzers/fuzz-,reader compressed tmon labels layouts)
$(filter-out $(BYTE_FUZZERS),$(FUZZERS)): $(BUILD)/obj/test/fuzz/mutate.o

# ---- running tests --------------------------------------------------------------------

# The perl tests find the programs by BUILD. The profiles that they record are kept under it. PROVE_FLAGS are prove's.
SANITIZER_SO  = $(if $(findstring address,$(SANITIZE)),libasan.so)$(if $(findstring thread,$(SANITIZE)),libtsan.so)
SANITIZER_LIB = $(if $(SANITIZER_SO),PRELOAD='$(shell $(CC) -print-file-name=$(SANITIZER_SO))')
# JOBS: how many files at a time, four more than processors, since many wait: for browsers, programs that sleep, and samples. Tests do not disturb one another, unless they
# measure, as some do with EXHAUSTIVE.
JOBS     ?= $(if $(EXHAUSTIVE),1,$(shell expr $$(nproc) + 4))
RUN_TESTS = BUILD='$(abspath $(BUILD))' COMPILER='$(CC) $(SANITIZER_FLAGS)' $(SANITIZER_LIB) $(PERL) test/tools/run -j$(JOBS) $(PROVE_FLAGS)
PERL_TESTS = $(or $(T),$(sort $(wildcard test/*/*.t)))

.PHONY: unit unit-programs prove prove-programs
# What the tests of the sampler read is among the layouts.
unit-programs: $(UNIT_BINS) layouts
unit: unit-programs ## the unit tests alone
	$(Q)$(RUN_TESTS) $(UNIT_BINS)

# architecture.t reads the objects.
prove-programs: all $(addprefix $(BUILD)/test/,spawn dump-chunks sum-profiles sample-steps fail-nth.so under-memcheck.so) $(REPLAYS) $(TOOL_OBJ)
prove: prove-programs ## the tests of the programs alone; T=test/whole/readme.t for one
	$(Q)$(RUN_TESTS) $(PERL_TESTS)

# Of the unit tests, those of folders whose code inflates or deflates.
CODEC_BINS := $(filter $(addprefix $(BUILD)/test/unit/,bytes/% format/% xs/%),$(UNIT_BINS))
.PHONY: codec-programs
codec-programs: $(CODEC_BINS)

# make does not see its own name in an unexpanded recipe, so lines with sub_make begin with +.
sub_make = $(MAKE) --no-print-directory
# Compile on all processors, unless -j says otherwise: in a fresh clone, compiling is part of the waiting.
ON_ALL = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))

.PHONY: test check-asan check-exhaustive check-memcheck check-perl check-modules check-perls check-arm64 check-arm64-chroot check-arm64-machine check-musl check-all fuzz fuzz-afl
test: ## all tests, in about ten minutes on two processors; installs what they need
	@echo 'All tests take about ten minutes on two processors.'
	+@$(sub_make) $(ON_ALL) unit-programs prove-programs
	+@$(sub_make) $(ON_ALL) codec-programs BUILD=$(BUILD)/no-isal ISAL=no
	$(Q)$(RUN_TESTS) $(PERL_TESTS) $(UNIT_BINS) $(CODEC_BINS:$(BUILD)/%=$(BUILD)/no-isal/%)

check-asan: ## the tests under address and undefined sanitizers, those with threads under the thread sanitizer
	+@$(sub_make) unit prove BUILD=$(BUILD)/asan SANITIZE=address,undefined CFLAGS='-O1 -g'
	+@TSAN_OPTIONS=die_after_fork=0:suppressions=$(CURDIR)/test/tools/thread-sanitizer $(sub_make) unit prove BUILD=$(BUILD)/tsan SANITIZE=thread CFLAGS='-O1 -g' \
		T='test/library/readstream.t test/nytprofmerge/use.t test/collector/life.t'

check-exhaustive: ## the tests that do more with EXHAUSTIVE=1: all options, 200 kills, profiles cut at every byte
	+@EXHAUSTIVE=1 $(sub_make) unit-programs prove T='$(shell grep -lE "EXHAUSTIVE|exhaustive" test/*/*.t)'

check-memcheck: ## all tests under valgrind; tests of thousands of cases run a sample
	+@VALGRIND=1 $(sub_make) unit prove BUILD=$(BUILD)/memcheck CFLAGS='-O1 -g' LTO=

check-perl: all $(BUILD)/test/spawn ## perl's own tests under the collector, as without it; T=t/op/sort.t for one, OPTIONS=labels=all for the collector; COVER=1: under nytp cover; gets perl's source
	$(Q)OPTIONS='$(OPTIONS)' COVER='$(COVER)' test/tools/perl-tests $(BUILD) $(T)

check-modules: all $(BUILD)/test/spawn ## the tests of modules of CPAN under the collector, as without it; T=libmoo-perl for one package; COVER=1: under nytp cover; gets their sources
	$(Q)OPTIONS='$(OPTIONS)' COVER='$(COVER)' test/tools/module-tests $(BUILD) $(T)

PERLS_DIR ?= $(BUILD)/perls
check-perls: ## the collector with many perls, in chroots and built from source; T=trixie for one; needs root and debootstrap
	@test/tools/check-perls $(PERLS_DIR) $(T)

check-arm64: collector ## the collector, the modules and the library's unit tests for arm64, in an emulator
	@test/tools/check-arm64 $(BUILD)/arm64

# Both use the system that the first of them makes.
check-arm64-chroot: ## the tests in a chroot of arm64, but for the sampler's; T='test/library/*.t' for some; needs root
	@test/tools/arm64-chroot $(BUILD)/arm64-machine $(T)

check-arm64-machine: ## the tests in an emulated machine of arm64; T='test/nytp-record/*.t' for some, all take many hours; needs root
	@test/tools/arm64-machine $(BUILD)/arm64-machine $(T)

check-musl: all $(addprefix $(BUILD)/test/,spawn dump-chunks) ## the collector with a perl that is built with musl, as Alpine's; gets their sources
	@test/tools/check-musl $(BUILD)/musl $(BUILD)

FUZZ_TIME ?= 60
# Those in C; fuzz-addresses is a test of the report in a browser. The collector records the seeds of both.
FUZZ_C        = $(filter-out fuzz-addresses,$(or $(T),$(FUZZ_SRC:test/fuzz/%.c=%)))
SEED_PROGRAMS = all $(BUILD)/test/spawn
fuzz: ## each fuzz target for FUZZ_TIME seconds (60), under clang's sanitizers; needs clang
	+@$(sub_make) $(ON_ALL) $(SEED_PROGRAMS)
	+@$(if $(FUZZ_C),$(sub_make) $(ON_ALL) $(FUZZ_C:%=$(BUILD)/fuzz/fuzzers/%) BUILD=$(BUILD)/fuzz CC=clang CFLAGS='-O1 -g' \
		SANITIZE=fuzzer-no-link$(comma)address$(comma)undefined$(comma)float-cast-overflow)
	@BUILD='$(abspath $(BUILD))' test/fuzz/run $(BUILD)/fuzz $(FUZZ_TIME) $(or $(T),$(FUZZ_C) fuzz-addresses)

AFL_TOOLS := nytprofcalls nytprofcg nytp-dprofpp
fuzz-afl: ## AFL++ on the built nytprofcalls, nytprofcg and nytp-dprofpp for FUZZ_TIME seconds each
	+@$(sub_make) $(ON_ALL) $(SEED_PROGRAMS)
	+@$(sub_make) $(AFL_TOOLS:%=$(BUILD)/afl/bin/%) BUILD=$(BUILD)/afl CC=afl-clang-fast CFLAGS='-O1 -g' SANITIZE=address,undefined
	@test/fuzz/afl $(BUILD)/afl $(FUZZ_TIME) $(or $(T),$(AFL_TOOLS))

check-all: test check-asan check-exhaustive check-memcheck check-perl check-musl lint ## everything that can be checked; two hours

# ---- trying it, measuring it ------------------------------------------------------

.PHONY: demo pictures bench bench-programs bench-instructions deps
demo: ## profiles pod2man; makes a report, flame graph, call graph and callgrind file of it in build/demo/
	+@$(sub_make) $(ON_ALL) all
	@test/tools/demo $(BUILD)

pictures: all ## draws the pictures of README.md and doc/ again
	@test/tools/pictures $(BUILD)

BENCH_BINS := $(patsubst test/bench/%.c,$(BUILD)/bench/%,$(wildcard test/bench/*.c))
$(BUILD)/bench/%: $(BUILD)/obj/test/bench/%.o $(LIB_A)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LD_ALL) -o $@ $(filter %.o,$^) $(LIB_A) $(WIRE_LIBS) $(MODEL_LIBS)

bench-programs: $(BENCH_BINS)

bench: ## time and memory against the stock tools
	+@$(sub_make) $(ON_ALL) all bench-programs $(addprefix $(BUILD)/test/,dump-chunks spawn)
	@test/bench/run $(BUILD)
	@test/bench/collector $(BUILD)
	@test/bench/record $(BUILD) 1 2

bench-instructions: ## instructions that the collector adds for each statement, call, ...; STOCK=1: stock's, too; READERS=1: those of reading
	+@$(sub_make) $(ON_ALL) collector $(BUILD)/test/spawn $(if $(READERS),all bench-programs)
	@PERL='$(PERL)' STOCK='$(STOCK)' READERS='$(READERS)' test/bench/instructions $(BUILD)

deps: ## installs what building, testing and measuring need, where it is missing
	@.ci/deps $(if $(filter no,$(DEPS)),--no-install) build demo test bench
