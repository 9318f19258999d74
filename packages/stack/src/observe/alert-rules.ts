import { join } from 'node:path'
import { repositoryDir } from '../migrate'

/** The alert rules, one file a subject, as Prometheus reads them. */
export const rulesDir = join(repositoryDir, 'k8s/observe/rules')

/** Where alerts go, as Alertmanager reads it. */
export const alertmanagerFile = join(repositoryDir, 'k8s/observe/alertmanager.yaml')

/** Grafana's dashboards, one file each. */
export const dashboardsDir = join(repositoryDir, 'k8s/observe/dashboards')
