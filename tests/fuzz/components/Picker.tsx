import * as React from "react";

export type Option<T> = { value: T; label: string; disabled?: boolean };

type Props<T extends string | number> = {
  options: readonly Option<T>[];
  value: T | null;
  label?: string;
  onChange(value: T): void;
};

export function Picker<T extends string | number>(props: Props<T>): React.JSX.Element {
  const { options, value, label = "Choose", onChange } = props;
  const [open, setOpen] = React.useState<boolean>(false);
  const list = React.useRef<HTMLUListElement>(null);
  const current = options.find((option) => option.value === value);

  React.useEffect(() => {
    if (!open) return;
    const close = (event: MouseEvent) => {
      if (!list.current?.contains(event.target as Node)) {
        setOpen(false);
      }
    };
    document.addEventListener("mousedown", close);
    return () => document.removeEventListener("mousedown", close);
  }, [open]);

  const choose = (option: Option<T>) => {
    if (option.disabled) return;
    onChange(option.value);
    setOpen(false);
  };

  return (
    <div className="picker" aria-expanded={open}>
      <button type="button" onClick={() => setOpen(!open)}>
        {current ? current.label : label}
      </button>
      {open && (
        <ul ref={list} role="listbox">
          {options.map((option) => (
            <li
              key={option.value}
              role="option"
              aria-selected={option.value === value}
              onClick={() => choose(option)}
            >
              {option.label}
              {option.disabled ? <em> (not now)</em> : null}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
