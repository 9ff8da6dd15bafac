sub at_top { main::wait_here() }

at_top();
1;
