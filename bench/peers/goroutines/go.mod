module dcube/peers/goroutines

go 1.19
