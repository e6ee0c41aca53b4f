const a = <b/>.c;
