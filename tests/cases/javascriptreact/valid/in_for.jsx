for (let a = <b/>; !<c/>; a = <d/>) f(<e/>);
