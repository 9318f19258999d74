<?php

// This file has no strict_types, as in a shop: PHP turns arguments into the declared type where it can.

function test_refuses_an_amount_that_is_no_integer_instead_of_cutting_its_fraction(): void
{
    foreach ([19.99 * 100, '1999.9', 150000.0] as $amount) {
        $error = thrown(InvalidArgumentException::class, fn () => openMalipo()->checkouts->create(amount: $amount));
        same(true, str_starts_with($error->getMessage(), 'amount must be an integer in minor units'));
    }
    same('1999', openMalipo()->checkouts->create(amount: '1999')->amount);
}
