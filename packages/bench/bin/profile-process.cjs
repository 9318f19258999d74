// Profiles the process that requires it, from its start, and writes PID.cpuprofile into PROFILE_DIR when it exits.
const { writeFileSync } = require('node:fs')
const { Session } = require('node:inspector')
const { join } = require('node:path')
const process = require('node:process')

const session = new Session()
session.connect()
session.post('Profiler.enable')
session.post('Profiler.start')
process.once('exit', () => {
  session.post('Profiler.stop', (error, answer) => {
    if (error) throw error
    const file = join(process.env.PROFILE_DIR, `${process.pid}.cpuprofile`)
    writeFileSync(file, JSON.stringify(answer.profile))
  })
})
