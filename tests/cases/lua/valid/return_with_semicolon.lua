do return end; return;
