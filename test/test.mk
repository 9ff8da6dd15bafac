# The tests, the demo and the benchmarks. GNUmakefile includes this.

# ---- unit tests, and the programs that tests run ---------------------------------

UNIT_SRC  := $(wildcard test/unit/u-*.c)
UNIT_BINS := $(UNIT_SRC:test/unit/%.c=$(BUILD)/test/%)
# What the unit tests share: helpers in test/unit, the programs' modules without their mains, and the
# collector's output, which does not use perl.
UNIT_SHARED := $(patsubst %.c,$(BUILD)/obj/%.o,$(filter-out $(UNIT_SRC),$(wildcard test/unit/*.c)))
TOOL_MODULES := $(filter-out %/main.o,$(TOOL_OBJ))
OUTPUT_OBJ := $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard xs/out*.c))

$(BUILD)/obj/test/unit/%.o $(BUILD)/obj/test/fuzz/%.o: EXTRA_CFLAGS = $(MODEL_CFLAGS) $(CMOCKA_CFLAGS) -I.
$(BUILD)/obj/test/programs/%.o: EXTRA_CFLAGS = -I.

$(BUILD)/test/u-%: $(BUILD)/obj/test/unit/u-%.o $(UNIT_SHARED) $(TOOL_MODULES) $(OUTPUT_OBJ) $(LIB_A)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LD_ALL) -o $@ $(filter %.o,$^) $(LIB_A) $(WIRE_LIBS) $(MODEL_LIBS) $(GRAPH_LIBS) $(SCREEN_LIBS) $(CMOCKA_LIBS)

# Prints the chunks of a profile, for a perl test to compare with stock's.
$(BUILD)/test/dump-chunks: $(addprefix $(BUILD)/obj/test/,programs/dump-chunks.o unit/chunk_text.o) $(LIB_A)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LD_ALL) -o $@ $^ $(WIRE_LIBS) $(MODEL_LIBS)

# Prints a profile as the library sums it up, or the sum of several.
$(BUILD)/test/sum-profiles: $(BUILD)/obj/test/programs/sum-profiles.o $(LIB_A)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LD_ALL) -o $@ $^ $(WIRE_LIBS) $(MODEL_LIBS)

# Loaded into programs before libc, to make calls fail, or to undo what valgrind changes.
$(BUILD)/test/%.so: test/programs/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(C_ALL) -shared -fvisibility=default -o $@ $< -ldl

# The fuzz targets, driven by files. `make fuzz` links them with libFuzzer instead.
FUZZ_SRC   := $(wildcard test/fuzz/fuzz-*.c)
REPLAYS    := $(FUZZ_SRC:test/fuzz/%.c=$(BUILD)/test/%)
FUZZERS    := $(FUZZ_SRC:test/fuzz/%.c=$(BUILD)/fuzzers/%)
FUZZ_NEEDS := $(BUILD)/obj/test/fuzz/fuzz.o $(UNIT_SHARED) $(TOOL_MODULES) $(OUTPUT_OBJ) $(LIB_A)
FUZZ_LIBS   = $(WIRE_LIBS) $(MODEL_LIBS) $(GRAPH_LIBS) $(SCREEN_LIBS) $(CMOCKA_LIBS)

$(BUILD)/test/fuzz-%: $(BUILD)/obj/test/fuzz/fuzz-%.o $(BUILD)/obj/test/fuzz/replay.o $(FUZZ_NEEDS)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LD_ALL) -o $@ $^ $(FUZZ_LIBS)

$(BUILD)/fuzzers/fuzz-%: $(BUILD)/obj/test/fuzz/fuzz-%.o $(FUZZ_NEEDS)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LD_ALL) -fsanitize=fuzzer -o $@ $^ $(FUZZ_LIBS)

# These fuzz the reader with bytes that need not be a profile.
BYTE_FUZZERS := $(addprefix $(BUILD)/fuzzers/fuzz-,reader compressed tmon)
$(filter-out $(BYTE_FUZZERS),$(FUZZERS)): $(BUILD)/obj/test/fuzz/mutate.o

# With VALGRIND, under memcheck; test/lib/Memcheck.pm does the same in the perl tests.
MEMCHECK = $(if $(VALGRIND),valgrind --quiet --error-exitcode=99)
.PHONY: unit unit-programs
unit-programs: $(UNIT_BINS)
unit: unit-programs ## the unit tests alone
	@set -e; for t in $(UNIT_BINS); do $(MEMCHECK) $$t; done

# The perl tests find the programs by BUILD. The profiles that they record are kept under it.
SANITIZER_SO  = $(if $(findstring address,$(SANITIZE)),libasan.so)$(if $(findstring thread,$(SANITIZE)),libtsan.so)
SANITIZER_LIB = $(if $(SANITIZER_SO),PRELOAD='$(shell $(CC) -print-file-name=$(SANITIZER_SO))')
PROVE = BUILD='$(abspath $(BUILD))' COMPILER='$(CC) $(SANITIZER_FLAGS)' $(SANITIZER_LIB) prove -Itest/lib $(PROVE_FLAGS)
.PHONY: prove
prove: all $(addprefix $(BUILD)/test/,dump-chunks sum-profiles fail-nth.so under-memcheck.so) $(REPLAYS) ## the tests of the programs alone; T=test/readme.t for one
	$(Q)$(PROVE) $(or $(T),$(sort $(wildcard test/*.t)))

# make does not see its own name in an unexpanded recipe, so lines with sub_make begin with +.
sub_make = $(MAKE) --no-print-directory
# Compile on all processors, unless -j says otherwise: in a fresh clone, compiling is part of the waiting.
ON_ALL = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))

.PHONY: test check-asan check-exhaustive check-memcheck check-perl check-all fuzz fuzz-afl
test: ## all tests, in ten minutes on two processors; installs what they need
	@echo 'All tests take about ten minutes on two processors.'
	+@$(sub_make) $(ON_ALL) unit
	+@$(sub_make) $(ON_ALL) unit BUILD=$(BUILD)/no-isal ISAL=no
	+@$(sub_make) $(ON_ALL) prove

check-asan: ## the tests under address and undefined sanitizers, those with threads under the thread sanitizer
	+@$(sub_make) unit prove BUILD=$(BUILD)/asan SANITIZE=address,undefined CFLAGS='-O1 -g'
	+@TSAN_OPTIONS=die_after_fork=0 $(sub_make) unit prove BUILD=$(BUILD)/tsan SANITIZE=thread CFLAGS='-O1 -g' \
		T='test/readstream.t test/nytprofmerge.t test/collector-life.t'

check-exhaustive: ## the tests that do more with EXHAUSTIVE=1: all options, 200 kills, profiles cut at every byte
	+@EXHAUSTIVE=1 $(sub_make) unit-programs prove T='$(shell grep -lE "EXHAUSTIVE|exhaustive" test/*.t)'

check-memcheck: ## all tests under valgrind; tests of thousands of cases run a sample
	+@VALGRIND=1 $(sub_make) unit prove BUILD=$(BUILD)/memcheck CFLAGS='-O1 -g' LTO=

check-perl: all ## perl's own tests under the collector, as without it; T=t/op/sort.t for one; gets perl's source
	$(Q)test/perl-tests $(BUILD) $(T)

FUZZ_TIME ?= 60
fuzz: ## each fuzz target for FUZZ_TIME seconds (60), under clang's sanitizers; needs clang
	+@$(sub_make) $(FUZZERS:$(BUILD)/%=$(BUILD)/fuzz/%) BUILD=$(BUILD)/fuzz CC=clang CFLAGS='-O1 -g' \
		SANITIZE=fuzzer-no-link,address,undefined,float-cast-overflow
	@test/fuzz/run $(BUILD)/fuzz $(FUZZ_TIME) $(T)

AFL_TOOLS := nytprofcalls nytprofcg nytp-tree
fuzz-afl: ## AFL++ on the built nytprofcalls, nytprofcg and nytp-tree for FUZZ_TIME seconds each
	+@$(sub_make) $(AFL_TOOLS:%=$(BUILD)/afl/bin/%) BUILD=$(BUILD)/afl CC=afl-clang-fast CFLAGS='-O1 -g' SANITIZE=address,undefined
	@test/fuzz/afl $(BUILD)/afl $(FUZZ_TIME) $(or $(T),$(AFL_TOOLS))

check-all: test check-asan check-exhaustive check-memcheck check-perl lint ## everything that can be checked; two hours

# ---- trying it, measuring it ------------------------------------------------------

.PHONY: demo pictures bench bench-programs deps
demo: ## profiles pod2man; makes a report, flame graph, call graph and callgrind file of it in build/demo/
	+@$(sub_make) $(ON_ALL) all
	@test/demo $(BUILD)

pictures: all ## draws the pictures of README.md and doc/ again
	@test/pictures $(BUILD)

BENCH_BINS := $(patsubst test/bench/%.c,$(BUILD)/bench/%,$(wildcard test/bench/*.c))
$(BUILD)/bench/%: $(BUILD)/obj/test/bench/%.o $(LIB_A)
	@mkdir -p $(@D)
	$(call say,LD,$@)
	$(Q)$(CC) $(LD_ALL) -o $@ $(filter %.o,$^) $(LIB_A) $(WIRE_LIBS) $(MODEL_LIBS)

bench-programs: $(BENCH_BINS)

bench: ## time and memory against the stock tools
	+@$(sub_make) $(ON_ALL) all bench-programs $(BUILD)/test/dump-chunks
	@test/bench/run $(BUILD)
	@test/bench/dprof $(BUILD)
	@test/bench/collector $(BUILD)
	@test/bench/record $(BUILD) 1 2

deps: ## installs what building, testing and measuring need, where it is missing
	@.ci/deps build demo test bench
