import type { AlertCase } from './alert-cases.harness'

const reportedDay = 'malipo_reported_day_timestamp_seconds{job="ledger",country="ke",instance="a"}'
const failedSteps =
  'malipo_events_total{name="reconcile_step_failed",job="ledger",country="ke",instance="a"}'

/** The alerts of reconciliation: about the reports of days, and about steps that fail. */
export const reconciliationAlertCases: Readonly<Record<string, AlertCase>> = {
  // The time of a test begins at 0, so these days ended before it.
  'day-report-old': {
    labels: { country: 'ke', severity: 'ticket' },
    fault: { [reportedDay]: '-94000x20' },
    firesAt: '2m',
    blip: { [reportedDay]: '-80000x20' },
  },
  // A step of the reconciliation fails in each round, which is every five minutes.
  'reconciliation-failing': {
    labels: { country: 'ke', severity: 'page' },
    fault: { [failedSteps]: '0x7 1x20 2x20 3x20 4x20 5x20' },
    firesAt: '18m',
    // Two steps in a row fail, and no more.
    blip: { [failedSteps]: '0x7 1x20 2x400' },
  },
}
