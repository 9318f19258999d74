#!/bin/sh
# PostgreSQL's archive_command: archive-wal.sh PATH NAME BACKUPS [MOST_KB]. Keeps a segment of the write-ahead log,
# compressed, for restores to a point in time. Before the first `npm run backup` it keeps nothing.
set -eu
umask 077
most_kb=${4:-4194304}
system=$(od -An -t u8 -N 8 global/pg_control | tr -d ' ')
home="$3/$system"
archive="$home/wal"
if [ ! -d "$archive" ]; then
  # The first backup sets this, so archiving has begun: PostgreSQL has to keep the log until the folder, perhaps on a disk
  # that is not mounted, is back.
  if grep -qs '^archive_timeout' postgresql.auto.conf; then
    echo "archive $archive is not there: $2 is kept until it is; mount its disk, or run npm run backup" >&2
    exit 1
  fi
  exit 0
fi
kept="$archive/$2.gz"
if [ -e "$kept" ]; then
  # The server stopped before it learned that this segment was archived: the same content is a success. Other content
  # under this name is of another history of the database, and fails.
  gzip -dc "$kept" | cmp -s - "$1"
  # The server may have stopped after the `mv` below and before the folder was synced.
  sync "$archive"
  exit
fi
# The limit counts only the log since the newest backup, complete or under way, so a full archive still has room for the log
# of the next backup. The folder of a killed backup does not count as a backup: each would make room for another MOST_KB.
# The newest is the last in the log, as the clock that named and dated its folder may have been wrong.
under_way=$(find "$(dirname "$3")/backup.lock" -mmin -1 2> /dev/null || true)
first=$(
  for folder in "$home"/*/; do
    case "$folder" in
      *.partial/) [ -z "$under_way" ] || cat "${folder}first-segment" ;;
      *) sed -n 's/.*"firstSegment": *"\([0-9A-F]*\)".*/\1/p' "${folder}about.json" ;;
    esac 2> /dev/null || true
  done | LC_ALL=C sort | tail -n 1
)
kb=$(find "$archive" -type f -exec du -k {} + | LC_ALL=C awk -v first="$first" '
  { name = $0; sub(/.*\//, "", name) }
  length(name) >= 24 && substr(name, 1, 24) >= first { kb += $1 }
  END { print kb + 0 }')
if [ "$kb" -gt "$most_kb" ]; then
  # The segment is dropped, because a full disk would stop payments: nothing after it can be restored until the next backup.
  echo "archive $archive grew by $kb KB since the newest backup: $2 is not kept; run npm run backup" >&2
  exit 0
fi
gzip -c "$1" > "$kept.partial"
sync "$kept.partial"
mv "$kept.partial" "$kept"
# PostgreSQL may delete the segment now, so the new name of the copy must survive a power cut.
sync "$archive"
