import { PrismaPg } from '@prisma/adapter-pg'
import { poolConfig, transactionBounds } from '@malipo/runtime/database'
import { openMeasuredPool } from '@malipo/runtime/measured-pool'
import { PrismaClient } from './generated/client'

export type Database = PrismaClient

/** Gateways cache a checked key for a minute, so few lookups arrive and a small pool serves many merchants. */
const connectionsMax = 10

export function openDatabase(url: string): Database {
  const pool = openMeasuredPool('keys', poolConfig(url, connectionsMax))
  return new PrismaClient({
    adapter: new PrismaPg(pool, { disposeExternalPool: true }),
    transactionOptions: transactionBounds(),
    // Prisma's longer error formats print the arguments of a refused call, including digests.
    errorFormat: 'minimal',
  })
}
