import React, { useState } from "react";

export default function LoginForm({ api, onDone }) {
  const [values, setValues] = useState({ name: "", password: "", remember: true });
  const [error, setError] = useState(null);
  const [busy, setBusy] = useState(false);

  function handleChange(event) {
    const { name, type, checked, value } = event.target;
    setValues((old) => ({ ...old, [name]: type === "checkbox" ? checked : value }));
  }

  async function handleSubmit(event) {
    event.preventDefault();
    setBusy(true);
    try {
      const user = await api.login(values);
      onDone(user);
    } catch (problem) {
      setError(problem.message);
    } finally {
      setBusy(false);
    }
  }

  return (
    <form onSubmit={handleSubmit} noValidate>
      {error && (
        <div role="alert" style={{ color: "red", marginBottom: 8 }}>
          {error}
        </div>
      )}
      <label htmlFor="name">Name</label>
      <input id="name" name="name" value={values.name} onChange={handleChange} />
      <label htmlFor="password">Password</label>
      <input
        id="password"
        name="password"
        type="password"
        value={values.password}
        onChange={handleChange}
      />
      <label>
        <input type="checkbox" name="remember" checked={values.remember} onChange={handleChange} />
        Remember me
      </label>
      <button type="submit" disabled={busy || !values.name}>
        {busy ? "Please wait…" : "Log in"}
      </button>
    </form>
  );
}
