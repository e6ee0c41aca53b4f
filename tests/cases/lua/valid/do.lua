do local a end do end
