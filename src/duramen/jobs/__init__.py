"""Whole archives: folders, URL lists, JSON lines, Parquet and WARC in; JSON lines or Parquet out.

`work.run` is the pure function at the heart; `shards` cuts inputs into pieces that any worker can read; `local` runs
them on this machine and `cluster` on many.
"""
