#!/bin/sh
# PostgreSQL's archive_command: archive-wal.sh PATH NAME BACKUPS [MOST_KB]. Keeps a segment of the log, compressed,
# for restores to a point in time. There is nothing to keep before the first `npm run backup`.
set -eu
umask 077
most_kb=${4:-4194304}
system=$(od -An -t u8 -N 8 global/pg_control | tr -d ' ')
home="$3/$system"
archive="$home/wal"
[ -d "$archive" ] || exit 0
kept="$archive/$2.gz"
if [ -e "$kept" ]; then
  # Archived before the server stopped without learning of it. Other content under this name is another timeline.
  gzip -dc "$kept" | cmp -s - "$1"
  exit
fi
# Counted since the newest backup, whole or under way: what older ones have archived leaves room for the next one's own log.
# What one that was killed has left counts as none, or each of them would make room for as much again.
under_way=$(find "$(dirname "$3")/backup.lock" -mmin -1 2> /dev/null || true)
newest="$home"
for folder in "$home"/*/; do
  case "$folder" in
    */wal/) ;;
    *.partial/) [ -z "$under_way" ] || newest="$folder" ;;
    *) newest="$folder" ;;
  esac
done
kb=$(find "$archive" -type f -newer "$newest" -exec du -k {} + | awk '{ kb += $1 } END { print kb + 0 }')
if [ "$kb" -gt "$most_kb" ]; then
  # A full disk would stop payments. What is archived so far can be restored; what comes cannot, until the next backup.
  echo "archive $archive grew by $kb KB since the newest backup: $2 is not kept; run npm run backup" >&2
  exit 0
fi
gzip -c "$1" > "$kept.partial"
sync "$kept.partial"
mv "$kept.partial" "$kept"
