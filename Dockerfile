# Toolscope as an image: docs/team.md says how to run it. scripts/image-steps.mjs runs these steps without Docker.
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build -- --logLevel warn && rm -f dist/page/assets/*.wasm
RUN npm prune --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:24-bookworm-slim
LABEL org.opencontainers.image.title="toolscope" \
      org.opencontainers.image.licenses="MIT" \
      io.modelcontextprotocol.server.name="io.github.OWNER/toolscope"
WORKDIR /app
COPY package.json ./
COPY --from=build /build/node_modules ./node_modules
COPY --from=build /build/dist ./dist
COPY LICENSE SKILL.md ./
COPY examples ./examples
# The only folder that the program writes to. A new volume takes its owner.
RUN mkdir /data && chown node:node /data
ENV NODE_ENV=production TOOLSCOPE_DATA_DIR=/data NODE_COMPILE_CACHE=/data/compiled
USER node
VOLUME /data
EXPOSE 4477
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4477/api/health').then(answer => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/dist/server/main.js"]
# It serves more than this machine, so it refuses to start without TOOLSCOPE_TOKEN.
CMD ["serve", "--no-open", "--host", "0.0.0.0", "--port", "4477"]
