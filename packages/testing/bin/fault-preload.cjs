// Loaded into each service of a stack under `npm run chaos` and `npm run alerts` by NODE_OPTIONS. Sends new connections
// to a port through the proxy that `network.json` names for it, and shifts the clock of the process by `clock.json`.
// Plants the bug of `plant.json` in the code of a built file when it is loaded, and does not change the file.
const { readFileSync } = require('node:fs')
const Module = require('node:module')
const net = require('node:net')
const { join } = require('node:path')
const process = require('node:process')

const dir = process.env.FAULTS_DIR
const [, script = '', name = ''] = process.argv
/**
 * Whether this process gets faults. The simulator gets none, because its records prove the outcome of a run; only
 * connections to the simulator get faults.
 */
const isMet = dir !== undefined && script.endsWith('dist/main.js') && name !== 'simulator'
if (isMet) {
  sendThroughProxies()
  shiftClock()
  plantBug()
}

function read(file) {
  try {
    return JSON.parse(readFileSync(join(dir, file), 'utf8'))
  } catch {
    return {}
  }
}

function sendThroughProxies() {
  const { connect } = net.Socket.prototype
  net.Socket.prototype.connect = function connectThroughProxy(...args) {
    const [first] = args
    const proxies = read('network.json')
    // `net.connect` passes its arguments on as one array, whose first element has the options.
    const options = Array.isArray(first) ? first[0] : first
    if (typeof options === 'object' && options !== null) {
      options.port = proxies[options.port] ?? options.port
    } else {
      args[0] = proxies[first] ?? first
    }
    return connect.apply(this, args)
  }
}

function shiftClock() {
  const RealDate = Date
  let shiftMs = 0
  const look = () => {
    shiftMs = read('clock.json')[name] ?? 0
  }
  look()
  setInterval(look, 500).unref()
  globalThis.Date = class extends RealDate {
    constructor(...args) {
      if (args.length === 0) super(RealDate.now() + shiftMs)
      else super(...args)
    }
    static now() {
      return RealDate.now() + shiftMs
    }
  }
}

function plantBug() {
  const { file, from, to } = read('plant.json')
  if (file === undefined) return
  const { _compile } = Module.prototype
  Module.prototype._compile = function compilePlanted(text, path, ...rest) {
    return _compile.call(
      this,
      path.endsWith(file) ? text.replaceAll(from, to) : text,
      path,
      ...rest,
    )
  }
}
