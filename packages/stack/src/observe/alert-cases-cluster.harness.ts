import type { AlertCase } from './alert-cases.harness'

const hidden = 'malipo_events_total{name="client_address_hidden",job="gateway",country="ke"}'

const postgres = 'job="postgres",country="ke",namespace="malipo-ke",pod="postgres-1"'
const labels = { country: 'ke', namespace: 'malipo-ke' }
export const waitingSegments = `cnpg_collector_pg_wal_archive_status{value="ready",${postgres}}`
export const archivedSegments = `cnpg_pg_stat_archiver_archived_count{${postgres}}`
export const streamingStandbys = `cnpg_pg_replication_streaming_replicas{${postgres}}`
const isStandby = `cnpg_pg_replication_in_recovery{${postgres}}`
/** A primary that both standbys follow. */
export const followed: Readonly<Record<string, string>> = {
  [streamingStandbys]: '2x400',
  [isStandby]: '0x400',
}
export const databaseUp = `cnpg_collector_up{${postgres}}`
export const lastBackup = `barman_cloud_cloudnative_pg_io_last_available_backup_timestamp{${postgres}}`

const gateway = (instance: string) =>
  `up{job="gateway",country="ke",namespace="malipo-ke",instance="${instance}"}`

/** All pods of Kenya's gateway lose their addresses, so Prometheus ends their series; the worker runs on. */
export const allPending: Readonly<Record<string, string>> = {
  [gateway('a')]: '1x7 stale',
  [gateway('b')]: '1x5 0x2 stale',
  'up{job="worker",country="ke",namespace="malipo-ke",instance="c"}': '1x400',
}

/** Another pod takes the place of a gateway, half a minute later. */
export const onePodForAnother: Readonly<Record<string, string>> = {
  [gateway('a')]: '1x7 stale',
  [gateway('b')]: '_x10 1x400',
}

/** Foreign programs that are down or failing: the Prometheus of a cluster scrapes them too, and no alert may fire. */
export const othersInTrouble: Readonly<Record<string, string>> = Object.fromEntries(
  ['job="kube-etcd",namespace="kube-system"', 'job="gateway",namespace="shop"'].flatMap((of) => [
    [`up{${of}}`, '0x40'],
    [`process_start_time_seconds{${of}}`, '10+10x40'],
    [`nodejs_eventloop_lag_p99_seconds{${of}}`, '0.8x40'],
    [`kubelet_volume_stats_available_bytes{${of}}`, '0x40'],
    [`kubelet_volume_stats_capacity_bytes{${of}}`, '20x40'],
    [`kube_job_failed{condition="true",job_name="migrate-shop",${of}}`, '1x200'],
    [`certmanager_certificate_expiration_timestamp_seconds{${of}}`, '100x200'],
  ]),
)

const claim = 'namespace="malipo-ke",persistentvolumeclaim="postgres-1-wal"'
/** A volume of 20 GB, as its node's kubelet measures it, by the free gigabytes over time. */
export const volume = (free: string): Readonly<Record<string, string>> => ({
  [`kubelet_volume_stats_available_bytes{${claim}}`]: free,
  [`kubelet_volume_stats_capacity_bytes{${claim}}`]: '20x400',
})

/** When a certificate of ours ends, as cert-manager reports it; the time of a test begins at 0. */
export const certificateEnd =
  'certmanager_certificate_expiration_timestamp_seconds{namespace="malipo-ke",name="gateway-identity"}'
export const authorityEnd =
  'certmanager_certificate_expiration_timestamp_seconds{namespace="cert-manager",name="malipo-authority"}'

/** Whether a job of our namespace has failed for good, as kube-state-metrics reports it. */
const jobFailed = (name: string) =>
  `kube_job_failed{condition="true",namespace="malipo-ke",job_name="${name}"}`

/** The alerts whose faults are those of a cluster. */
export const clusterAlertCases: Readonly<Record<string, AlertCase>> = {
  'client-address-hidden': {
    labels: { country: 'ke', severity: 'page' },
    fault: { [hidden]: '0x4 0+3x20' },
    firesAt: '4m',
    blip: { [hidden]: '0x4 15x400' },
  },
  'archive-stopped': {
    labels: { ...labels, severity: 'page' },
    fault: { [waitingSegments]: '0x7 1x40', [archivedSegments]: '0+1x7 7x40' },
    firesAt: '8m',
    // Four minutes without the object store, and then segments are archived as fast as new ones come.
    blip: {
      [waitingSegments]: '0x7 1+1x15 60x400',
      [archivedSegments]: '0+1x7 7x15 8+1x400',
    },
  },
  // The time of a test begins at 0, so this backup was completed before it.
  'backup-old': {
    labels: { ...labels, severity: 'ticket' },
    fault: { [lastBackup]: '-94000x80', [databaseUp]: '1x80', ...followed },
    firesAt: '17m',
    blip: { [lastBackup]: '-80000x400', [databaseUp]: '1x400' },
  },
  'volume-filling': {
    labels: {
      ...{ namespace: 'malipo-ke', persistentvolumeclaim: 'postgres-1-wal', severity: 'page' },
    },
    fault: volume('8x7 1.9x40'),
    firesAt: '8m',
    blip: volume('8x7 1.9x4 4.9x4 8x400'),
  },
  'certificate-ending': {
    labels: { namespace: 'malipo-ke', name: 'gateway-identity', severity: 'page' },
    fault: { [certificateEnd]: '100000x80' },
    firesAt: '17m',
    // Renewed late.
    blip: { [certificateEnd]: '100000x20 700000x400' },
  },
  'job-failed': {
    labels: { namespace: 'malipo-ke', job_name: 'detach-ledger-29400001', severity: 'ticket' },
    fault: { [jobFailed('detach-ledger-29400001')]: '0x7 1x40' },
    firesAt: '8m',
    // A job of another program, and one of ours that was deleted and made again.
    blip: { [jobFailed('postgres-2-join')]: '1x400', [jobFailed('migrate-ledger')]: '1x7 0x400' },
  },
  'standby-away': {
    labels: { ...labels, severity: 'page' },
    fault: { ...followed, [streamingStandbys]: '2x7 0x40' },
    firesAt: '4m',
    // A switchover, after which one of the standbys joins again.
    blip: { ...followed, [streamingStandbys]: '2x7 0x1 1x20 2x400' },
  },
}
