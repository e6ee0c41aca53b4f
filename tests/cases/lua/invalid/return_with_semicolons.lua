return;;
