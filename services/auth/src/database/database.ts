import { PrismaPg } from '@prisma/adapter-pg'
import { poolConfig, transactionBounds } from '@malipo/runtime/database'
import { openMeasuredPool } from '@malipo/runtime/measured-pool'
import { PrismaClient } from './generated/client'

export type Database = PrismaClient

const connectionsMax = 10

export function openDatabase(url: string): Database {
  const pool = openMeasuredPool('auth', poolConfig(url, connectionsMax))
  return new PrismaClient({
    adapter: new PrismaPg(pool, { disposeExternalPool: true }),
    transactionOptions: transactionBounds(),
    // Prisma's longer error formats print the arguments of a refused call, which may be personal data.
    errorFormat: 'minimal',
  })
}
