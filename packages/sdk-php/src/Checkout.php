<?php

declare(strict_types=1);

namespace Malipo;

/** A checkout with the API's field names. Amounts are minor units in text: "150000" is KES 1,500.00. */
final class Checkout
{
    /**
     * @param string $url the page to send the payer to
     * @param 'open'|'completed'|'expired' $status deliver when it is "completed", and only then
     * @param 'KES'|'UGX' $currency
     * @param string $expires_at ISO 8601, UTC
     * @param ?CheckoutPayment $payment the payment that completed the checkout, else the newest; null before the first
     */
    public function __construct(
        public readonly string $id,
        public readonly string $url,
        public readonly string $status,
        public readonly string $amount,
        public readonly string $currency,
        public readonly ?string $reference,
        public readonly ?string $description,
        public readonly ?string $return_url,
        public readonly string $expires_at,
        public readonly string $created_at,
        public readonly ?CheckoutPayment $payment,
    ) {
    }

    /**
     * @internal
     * @param array<string, mixed> $data
     * @throws \TypeError when a field is missing or of another type
     */
    public static function of(array $data): self
    {
        return new self(
            $data['id'] ?? null,
            $data['url'] ?? null,
            $data['status'] ?? null,
            $data['amount'] ?? null,
            $data['currency'] ?? null,
            $data['reference'] ?? null,
            $data['description'] ?? null,
            $data['return_url'] ?? null,
            $data['expires_at'] ?? null,
            $data['created_at'] ?? null,
            isset($data['payment']) ? CheckoutPayment::of($data['payment']) : null,
        );
    }
}
