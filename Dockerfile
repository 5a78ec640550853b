# Sandtable as an image: docker build -t sandtable . && docker run -p 8000:8000 -v sandtable:/data sandtable

# The page for browsers.
FROM node:24-slim AS web
WORKDIR /build/web
COPY web/package.json web/package-lock.json ./
RUN npm install --no-save
COPY web/ ./
RUN npm run build -- --outDir /build/static

# The server, installed into a folder of its own.
FROM python:3.11-slim AS server
WORKDIR /build
RUN python -m venv /opt/sandtable
COPY pyproject.toml constraints.txt README.md LICENSE NOTICE ./
COPY src/ src/
COPY --from=web /build/static/ src/sandtable/server/static/
RUN /opt/sandtable/bin/pip install --no-cache-dir -c constraints.txt '.[server]'

FROM python:3.11-slim
RUN useradd --system --uid 10001 --home-dir /data sandtable \
 && install -d -o sandtable -g sandtable /data
COPY --from=server /opt/sandtable /opt/sandtable
ENV PATH=/opt/sandtable/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    SANDTABLE_CACHE=/data/cache \
    SANDTABLE_HOME=/data \
    SANDTABLE_HOST=0.0.0.0 \
    SANDTABLE_LOG=json
USER sandtable
VOLUME /data
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
  CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
CMD ["sandtable", "serve"]
