return <!--
continue
