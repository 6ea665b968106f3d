# gpusolve in a container.
#
#     docker build --tag gpusolve .                                  # CPU only
#     docker build --tag gpusolve:cuda --build-arg EXTRAS=cuda13 .   # with CuPy and NVIDIA's libraries, for --gpus all
#     docker run --rm gpusolve wordle suggest salet:-y--g
#
# EXTRAS are extras of the package, separated by commas. LEVELS are the processor levels for which the kernels of the CPU are
# compiled into the wheel (docs/environment.md), which takes minutes; if it is empty, each is compiled when it is first needed.

ARG PYTHON=3.13

FROM python:${PYTHON}-slim AS wheel
ARG LEVELS=all
WORKDIR /gpusolve
COPY pyproject.toml hatch_build.py README.md LICENSE ./
COPY kernels kernels
COPY wordlists wordlists
COPY src src
RUN GPUSOLVE_LEVELS="${LEVELS}" pip wheel --no-cache-dir --no-deps --wheel-dir /wheel .

FROM python:${PYTHON}-slim
ARG EXTRAS=cluster
LABEL org.opencontainers.image.title="gpusolve" org.opencontainers.image.licenses="MIT"
ENV NVIDIA_VISIBLE_DEVICES=all NVIDIA_DRIVER_CAPABILITIES=compute,utility PYTHONUNBUFFERED=1
RUN --mount=type=bind,from=wheel,source=/wheel,target=/wheel \
    pip install --no-cache-dir "$(echo /wheel/gpusolve-*.whl)[${EXTRAS}]" \
    && useradd --uid 1000 --create-home player
USER 1000
WORKDIR /home/player
ENTRYPOINT ["gpusolve"]
CMD ["--help"]
