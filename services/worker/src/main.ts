import { openLog } from '@malipo/runtime/log'
import { run } from '@malipo/runtime/process'
import { readConfig } from './config'
import { start } from './start'

const log = openLog('worker', process.env['LOG_LEVEL'] ?? 'info')
void run(log, async () => start(readConfig(process.env), log))
