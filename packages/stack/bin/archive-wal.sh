#!/bin/sh
# PostgreSQL's archive_command: archive-wal.sh PATH NAME BACKUPS [MOST_KB]. Keeps a segment of the log, compressed,
# for restores to a point in time. Before the first `npm run backup` it keeps nothing.
set -eu
umask 077
most_kb=${4:-4194304}
system=$(od -An -t u8 -N 8 global/pg_control | tr -d ' ')
home="$3/$system"
archive="$home/wal"
[ -d "$archive" ] || exit 0
kept="$archive/$2.gz"
if [ -e "$kept" ]; then
  # The server stopped before it learned that this segment was archived: the same content is a success. Other content
  # under this name is of another history of the database, and fails.
  gzip -dc "$kept" | cmp -s - "$1"
  # The server may have stopped before the sync of the folder, below.
  sync "$archive"
  exit
fi
# Only the log since the newest backup, whole or under way, counts: a full archive always has room for the log of the
# next backup. The remains of a killed backup are no backup, or each of them would make room for as much again.
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
  # A full disk would stop payments. The log up to here can be restored; later log cannot, until the next backup.
  echo "archive $archive grew by $kb KB since the newest backup: $2 is not kept; run npm run backup" >&2
  exit 0
fi
gzip -c "$1" > "$kept.partial"
sync "$kept.partial"
mv "$kept.partial" "$kept"
# PostgreSQL forgets the log now, so the name must outlast a power cut too.
sync "$archive"
