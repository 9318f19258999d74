import type { AlertCase } from './alert-cases.harness'

const ke = { country: 'ke' }

/** The alerts whose faults are those of a cluster. */
export const clusterAlertCases: Readonly<Record<string, AlertCase>> = {
  'client-address-hidden': {
    labels: { ...ke, severity: 'page' },
    fault: {
      'malipo_events_total{name="client_address_hidden",job="gateway",country="ke"}': '0x4 0+3x20',
    },
    firesAt: '4m',
    blip: {
      'malipo_events_total{name="client_address_hidden",job="gateway",country="ke"}': '0x4 15x400',
    },
  },
}
