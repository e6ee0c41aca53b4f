class A
{
  b()
  {
    if (c)
    {
      d()
    }
  }
}
