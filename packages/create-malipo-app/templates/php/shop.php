<?php
require __DIR__ . '/sdk-php/autoload.php';

use Malipo\{Malipo, MalipoWebhookError, WebhookEvent};

// PHP answers 200 after an error where display_errors is on, and Malipo would not send the event again.
set_exception_handler(function (Throwable $error): void {
    error_log($error);
    http_response_code(500);
});

$malipo = new Malipo(secretKey: getenv('MALIPO_KEY'), baseUrl: getenv('MALIPO_URL'));

/**
 * Delivers the order of a checkout, if that is completed and was not refunded. Returns whether that is so. An order is
 * delivered once, also if it has several checkouts.
 */
function settle(Malipo $malipo, string $checkoutId): bool
{
    $checkout = $malipo->checkouts->retrieve($checkoutId);
    // An event may come late, when its payment has already been refunded.
    if ($checkout->status !== 'completed' || $checkout->payment?->status === 'reversed') {
        return false;
    }
    $order = __DIR__ . "/order-$checkout->reference";
    // Only one of all requests can rename the file. With a database: an UPDATE of the order that changes its row only once.
    if (@rename($order, __DIR__ . "/delivered-$checkout->reference")) {
        error_log("Deliver the order $checkout->reference");
    } elseif (is_file($order)) {
        throw new RuntimeException("$order is not delivered, because it cannot be renamed");
    }
    return true;
}

function buy(Malipo $malipo): void
{
    $order = 'shop-' . bin2hex(random_bytes(16));
    if (!@touch(__DIR__ . "/order-$order")) {
        throw new RuntimeException('The order cannot be written to ' . __DIR__);
    }
    $checkout = $malipo->checkouts->create(
        amount: 150_000,
        reference: $order,
        description: 'Two bags of coffee',
        returnUrl: getenv('RETURN_URL') ?: null,
        idempotencyKey: $order,
    );
    header("Location: $checkout->url", true, 303);
}

function receive(Malipo $malipo): void
{
    try {
        $body = file_get_contents('php://input');
        $event = WebhookEvent::verify($body, getallheaders(), getenv('MALIPO_WEBHOOK_SECRET'));
    } catch (MalipoWebhookError) {
        http_response_code(400);
        return;
    }
    if ($event->type === 'checkout.completed') {
        settle($malipo, $event->checkoutId);
    }
    http_response_code(204);
}

match ($_SERVER['REQUEST_METHOD'] . ' ' . parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH)) {
    'GET /' => print('<form method="post" action="/buy"><button>Two bags of coffee, KES 1,500</button></form>'),
    'POST /buy' => buy($malipo),
    'POST /webhooks' => receive($malipo),
    'GET /thanks' => print(settle($malipo, $_GET['checkout'] ?? '') ? 'Thank you!' : 'This order is not paid, or not yet.'),
    default => http_response_code(404),
};
