FROM python:3.12-slim@sha256:78387bc3881b8273120a12ebe6c1ab22b018ccc2c9adf565ae1ac9b536e184ea
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends libgomp1 libssl3 && rm -rf /var/lib/apt/lists/*
WORKDIR /asof
COPY requirements.txt requirements-extraction.txt ./
RUN pip install --no-cache-dir --require-hashes -r requirements.txt -r requirements-extraction.txt
COPY . .
RUN useradd --create-home asof && mkdir -p /data && chown asof /data
USER asof
# What libraries keep in a home goes to /tmp: everything else of the container may be read-only.
ENV HOME=/tmp ASOF_HOME=/data ASOF_AUTH=local
EXPOSE 8501
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://localhost:8501/_stcore/health', timeout=4)"]
CMD ["streamlit", "run", "app.py", "--server.address", "0.0.0.0", "--server.headless", "true", "--browser.serverAddress", "localhost"]
