#!/usr/bin/env node
// Makes the certificates of all processes in a folder, one folder each, unless they are there: how docker-compose.yml
// does what cert-manager does in a cluster and `npm start` on one machine.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { writeIdentities } from '../dist/certificates.js'

const [dir] = process.argv.slice(2)
if (dir === undefined) throw new Error('Usage: identities.mjs FOLDER')
if (!existsSync(join(dir, 'console', 'tls.crt'))) writeIdentities(dir)
