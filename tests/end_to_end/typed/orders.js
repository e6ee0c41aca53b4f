const express = require("express");
const { findOrder, removeOrder } = require("./store");

const router = express.Router();

// One order of a customer.
router.get("/orders/:id", async (request, response, next) => {
  try {
    const order = await findOrder(request.params.id);
    if (!order) {
      response.status(404).json({ error: `no order ${request.params.id}` });
      return;
    }
    response.json({ order });
  } catch (error) {
    next(error);
  }
});

router.delete("/orders/:id", async (request, response) => {
  await removeOrder(request.params.id);
  response.sendStatus(204);
});

module.exports = router;
