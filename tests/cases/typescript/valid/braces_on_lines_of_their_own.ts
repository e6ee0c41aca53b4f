enum Color
{
  red,
  green,
}

export const enum Edge
{ top = 1 }

declare enum Side
{
  left,
}

namespace Shop
{
  export const a = 1;
}

declare module "shop"
{
}

declare global
{
  interface Window
  {
    a: number;
  }
}

namespace Inner.Part
{
  f();
}
