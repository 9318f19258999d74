/** A gateway asks a worker for a checkout's QR code by this job, and finds the picture in Redis. */
export const drawQrJob = 'draw-qr'

/**
 * How long a gateway waits for a picture: the provider usually draws within a second. The worker drops a job older than
 * this.
 */
export const qrWaitMs = 6_000

/** How long Redis keeps a picture, and how long it keeps the fact that the provider draws none. */
export const qrLifeSeconds = 600
export const noQrLifeSeconds = 30

/** The Redis key of the PNG; its value is empty where the provider drew none. */
export function qrKey(queuePrefix: string, checkoutId: string): string {
  return `${queuePrefix}:qr:${checkoutId}`
}

/** The name of the change that the worker announces when the picture is stored, or will not come. */
export function qrChange(checkoutId: string): string {
  return `qr:${checkoutId}`
}
