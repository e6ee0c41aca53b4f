import { useEffect, useState } from "react";
import { Card, Spinner } from "./ui";

const icons = { sun: "☀", rain: "☂", snow: "☃" };

function Day({ day, isToday }) {
  const { high, low, kind } = day;
  return (
    <li className={`day ${isToday ? "today" : ""}`}>
      <span title={kind}>{icons[kind] ?? "?"}</span>
      <b>{high}°</b> / {low}°
    </li>
  );
}

export function Weather({ city, days: count = 5 }) {
  const [days, setDays] = useState([]);
  const [state, setState] = useState("loading");

  useEffect(() => {
    let isCurrent = true;
    fetch(`/weather/${city}?days=${count}`)
      .then((response) => response.json())
      .then((found) => {
        if (isCurrent) {
          setDays(found.days);
          setState("ready");
        }
      })
      .catch(() => setState("failed"));
    return () => {
      isCurrent = false;
    };
  }, [city, count]);

  switch (state) {
    case "loading":
      return <Spinner size="large" />;
    case "failed":
      return (
        <Card title={city}>
          <p className="error">The weather cannot be read.</p>
          <button onClick={() => setState("loading")}>Try again</button>
        </Card>
      );
    default:
      return (
        <Card title={city}>
          <ol>
            {days.map((day, index) => (
              <Day key={day.date} day={day} isToday={index === 0} />
            ))}
          </ol>
          <>
            {days.length > 3 && <small>Further days are less certain.</small>}
          </>
        </Card>
      );
  }
}
