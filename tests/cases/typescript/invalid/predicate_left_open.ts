function a(b): b is {}
{
