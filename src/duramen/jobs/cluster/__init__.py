"""The same job on clusters: Ray Data as an engine, and thin adapters for datatrove and Spark.

Each module needs the package it is named after (`pip install "duramen[ray]"`, `[datatrove]`, `[spark]`), so nothing is
imported here.
"""
