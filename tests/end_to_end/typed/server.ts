import express, { type Request, type Response } from "express";

const app = express();

// Greets whoever asks.
app.get("/hello/:name", (request: Request, response: Response) => {
  const name = request.params.name;
  response.send(`Hello, ${name}!`);
});

app.listen(3000);
