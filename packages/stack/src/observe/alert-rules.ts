import { join } from 'node:path'
import { repositoryDir } from '../migrate'

/** The alert rules, one file a subject, as Prometheus reads them. */
export const rulesDir = join(repositoryDir, 'k8s/observe/rules')
