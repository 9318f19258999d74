import { Tabs } from '../parts/tabs'

export function SecurityTabs() {
  const tabs = [
    { path: '/security', text: 'PIN' },
    { path: '/security/password', text: 'Password' },
    { path: '/security/sessions', text: 'Sessions' },
    { path: '/security/audit-log', text: 'Audit log' },
  ]
  return <Tabs label="Security" tabs={tabs} />
}
