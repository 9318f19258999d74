import { Tabs } from '../parts/tabs'

export function IntegrationTabs() {
  const tabs = [
    { path: '/integrations', text: 'Keys' },
    { path: '/integrations/webhooks', text: 'Webhooks' },
    { path: '/integrations/requests', text: 'Request log' },
  ]
  return <Tabs label="API Integrations" tabs={tabs} />
}
