# The service: `docker build -t duramen .`, then `docker run -p 8000:8000 duramen`. compose.yaml shows a safe way to run it.

FROM python:3.12-slim AS build
RUN apt-get update && apt-get install --yes --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN python -m venv /opt/duramen && /opt/duramen/bin/pip install --no-cache-dir '.[serve]'

FROM python:3.12-slim
COPY --from=build /opt/duramen /opt/duramen
RUN useradd --system --no-create-home --shell /usr/sbin/nologin duramen
USER duramen
ENV PATH=/opt/duramen/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    DURAMEN_HOST=0.0.0.0 \
    DURAMEN_PORT=8000
EXPOSE 8000
# SIGTERM drains: requests under way are answered first.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=3s --start-period=30s \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/health', timeout=2)"]
CMD ["duramen", "serve"]
