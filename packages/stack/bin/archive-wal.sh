#!/bin/sh
# PostgreSQL's archive_command: archive-wal.sh PATH NAME BACKUPS. Keeps a segment of the log, compressed, for restores to
# a point in time. There is nothing to keep before the first `npm run backup`.
set -eu
umask 077
system=$(od -An -t u8 -N 8 global/pg_control | tr -d ' ')
archive="$3/$system/wal"
[ -d "$archive" ] || exit 0
kept="$archive/$2.gz"
if [ -e "$kept" ]; then
  # Archived before the server stopped without learning of it. Other content under this name is another timeline.
  gzip -dc "$kept" | cmp -s - "$1"
  exit
fi
if [ "$(du -sk "$archive" | cut -f 1)" -gt 4194304 ]; then
  # A full disk would stop payments. What is archived so far can be restored; what comes cannot, until the next backup.
  echo "archive $archive is over 4 GB: $2 is not kept; run npm run backup" >&2
  exit 0
fi
gzip -c "$1" > "$kept.partial"
sync "$kept.partial"
mv "$kept.partial" "$kept"
