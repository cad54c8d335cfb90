# Passepartout as a daemon, not as root. Only building it uses a package registry; running it connects to nothing but the providers that you set up.
# docs/commands.md ("In a container") says how to run it.
FROM node:26.12.1-bookworm-slim AS build
WORKDIR /build
COPY . .
RUN npm pack --silent --pack-destination /tmp

FROM node:26.12.1-bookworm-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends bubblewrap ca-certificates git \
  && rm -rf /var/lib/apt/lists/*
COPY --from=build /tmp/passepartout-*.tgz /tmp/passepartout.tgz
RUN npm install --global --offline /tmp/passepartout.tgz \
  && rm /tmp/passepartout.tgz \
  && install -d -o node -g node -m 700 /data /data/settings /data/state /notes /work
ENV XDG_CONFIG_HOME=/data/settings XDG_STATE_HOME=/data/state MEMEX_DIR=/notes
USER node
WORKDIR /work
VOLUME ["/data", "/notes", "/work"]
HEALTHCHECK --interval=5m --timeout=30s --start-period=30s CMD ["passepartout", "doctor", "--quick"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["passepartout"]
CMD ["daemon"]
