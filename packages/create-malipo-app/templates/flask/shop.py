import os, sqlite3, uuid
from flask import Flask, redirect, request
from malipo import Malipo, MalipoWebhookError, verify_webhook

app = Flask(__name__)
malipo = Malipo(secret_key=os.environ["MALIPO_KEY"], base_url=os.environ["MALIPO_URL"])


def orders(sql, *values):
    with sqlite3.connect("orders.db", timeout=10) as database:
        return database.execute(sql, values)


orders("CREATE TABLE IF NOT EXISTS orders (number TEXT PRIMARY KEY, delivered_at TEXT)")


@app.get("/")
def home():
    return '<form method="post" action="/buy"><button>Two bags of coffee, KES 1,500</button></form>'


@app.post("/buy")
def buy():
    order = f"shop-{uuid.uuid4()}"
    orders("INSERT INTO orders (number) VALUES (?)", order)
    checkout = malipo.checkouts.create(
        amount=150_000,
        reference=order,
        description="Two bags of coffee",
        return_url=os.environ.get("RETURN_URL"),
        idempotency_key=order,
    )
    return redirect(checkout.url, 303)


@app.post("/webhooks")
def webhooks():
    try:
        event = verify_webhook(request.get_data(), request.headers, os.environ["MALIPO_WEBHOOK_SECRET"])
    except MalipoWebhookError:
        return "", 400
    if event.type == "checkout.completed":
        settle(event.data.id)
    return "", 204


@app.get("/thanks")
def thanks():
    return "Thank you!" if settle(request.args["checkout"]) else "This order is not paid, or not yet."


def settle(checkout_id):
    """Delivers the order of a checkout, if that is completed and was not refunded. Returns whether that is so.

    An order is delivered once, also if it has several checkouts.
    """
    checkout = malipo.checkouts.retrieve(checkout_id)
    # An event may come late, when its payment has already been refunded.
    if checkout.status != "completed" or (checkout.payment and checkout.payment.status == "reversed"):
        return False
    once = "UPDATE orders SET delivered_at = datetime() WHERE number = ? AND delivered_at IS NULL"
    if orders(once, checkout.reference).rowcount == 1:
        print("Deliver the order", checkout.reference, flush=True)
    return True
