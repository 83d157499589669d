# Two commands do everything on a fresh Debian or Ubuntu machine:
#   make demo    installs what is missing, builds, runs the main job
#   make check   the same, then every test
BUILD ?= build
JOBS  ?= $(shell nproc)

FUZZ_SECONDS ?= 60

.PHONY: all demo check conformance conformance-fit conformance-logs conformance-server conformance-sim bench-speed fuzz deps clean install article

all: $(BUILD)/CMakeCache.txt
	cmake --build $(BUILD) -j $(JOBS)

$(BUILD)/CMakeCache.txt:
	cmake -S . -B $(BUILD)

deps:
	tools/install_deps.sh

# The main job on the header of a published model: what it would hold on a 24 GB card.
demo: deps all
	mkdir -p $(BUILD)/demo
	tar -xJf tests/corpus/headers.tar.xz -C $(BUILD)/demo models/Qwen3-8B--Q4_K_M.gguf
	mv $(BUILD)/demo/models/Qwen3-8B--Q4_K_M.gguf $(BUILD)/demo/Qwen3-8B-Q4_K_M.gguf
	cd $(BUILD)/demo && ../ullage Qwen3-8B-Q4_K_M.gguf -c 32768 -ngl 99 -np 1 -fa on \
		--gpu 'name=RTX 4090,total=24564MiB,cc=8.9,sm=128' --ram 64GiB --cpu zen4 || test $$? = 4

# With a real llama.cpp for the simulated path where its libraries can be had; it says when not.
check: deps all
	tools/fetch_engine.sh
	ctest --test-dir $(BUILD) --output-on-failure -j $(JOBS)
	@tools/fetch_engine.sh --say

# Scores plans against recorded runs of the engine, by kind of buffer and by architecture.
conformance: deps all
	tools/conformance.py $(BUILD)
	tools/conformance_companions.py $(BUILD)

# The laws of speed against published runs, by back-end and by device.
bench-speed: deps all
	xz -dc tests/speed/pairs.tsv.xz | $(BUILD)/bench/bench_speed --devices
# Writes docs/article.md. Needs ULLAGE_LAB: a folder whose 'run' starts llama.cpp on simulated GPUs.
article: deps all
	tools/article.py $(BUILD)

# Loads the lines that `ullage fit` prints, and one step more, in the engine itself. ULLAGE_LAB names
# the folder of a lab that runs llama.cpp on simulated GPUs.
conformance-fit: deps all
	tools/conformance_fit.py $(BUILD)

# Starts llama-server with settings left open, and compares what its own --fit makes of them (ULLAGE_LAB).
conformance-server: deps all
	tools/conformance_server.py $(BUILD)

# Figures of transcribed logs by build; ULLAGE_LOGS names a file of records (a few are in tests).
conformance-logs: deps all
	tools/conformance_logs.py $(BUILD)

# The engine's llama-server on our own simulated GPUs, against what was recorded of it (ULLAGE_LAB).
conformance-sim: deps all
	tools/conformance_sim.py $(BUILD)

# Configurations against the headers that the converter made of them (ULLAGE_CONFIGS: whose).
conformance-config: deps all
	tools/conformance_config.py $(BUILD)

# Needs clang with its sanitizers (Debian: clang, libclang-rt-14-dev).
fuzz:
	cmake -S . -B $(BUILD)-fuzz -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=RelWithDebInfo \
		-DULLAGE_SANITIZE=ON -DULLAGE_FUZZ=ON -DFUZZ_SECONDS=$(FUZZ_SECONDS)
	cmake --build $(BUILD)-fuzz -j $(JOBS) --target fuzz

install: all
	cmake --install $(BUILD)

clean:
	rm -rf $(BUILD)
