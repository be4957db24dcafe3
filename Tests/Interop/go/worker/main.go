// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

// A worker as a team would write it in Go, with amqp091-go and the standard library, to measure ours beside: it takes
// requests for RTC tokens, signs them, and acknowledges each when the broker has confirmed the reply. It keeps no
// leases, and knows one project.
//
//	AGORA_APP_ID=… AGORA_APP_CERTIFICATE=… AMQP_URL=… worker
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

type request struct {
	ChannelName string `json:"channelName"`
	UID         *int64 `json:"uid"`
	Role        int    `json:"role"`
	Expire      uint32 `json:"expire"`
}

type reply struct {
	Token        string           `json:"token"`
	AppID        string           `json:"appId"`
	Service      string           `json:"service"`
	ChannelName  string           `json:"channelName"`
	UID          uint32           `json:"uid"`
	IssuedAt     int64            `json:"issuedAt"`
	ExpiresAt    int64            `json:"expiresAt"`
	ExpiresIn    uint32           `json:"expiresIn"`
	RenewAfter   int64            `json:"renewAfter"`
	NotifyBefore []int            `json:"notifyBefore"`
	Privileges   map[string]int64 `json:"privileges"`
	Scheduled    bool             `json:"scheduled"`
	Warnings     []string         `json:"warnings"`
}

type refusal struct {
	Code      string `json:"code"`
	Message   string `json:"message"`
	Field     string `json:"field,omitempty"`
	Retryable bool   `json:"retryable"`
}

func (w *worker) issue(body []byte, now time.Time) (*reply, *refusal) {
	asked := request{Role: 1, Expire: 3600}
	if err := json.Unmarshal(body, &asked); err != nil {
		return nil, &refusal{Code: "malformed_json", Message: err.Error()}
	}
	switch {
	case len(asked.ChannelName) < 1 || len(asked.ChannelName) > 64:
		return nil, &refusal{Code: "invalid_channel_name", Message: "1 to 64 bytes", Field: "channelName"}
	case asked.UID == nil || *asked.UID < 0 || *asked.UID > 4294967295:
		return nil, &refusal{Code: "invalid_uid", Message: "a number up to 4294967295", Field: "uid"}
	case asked.Role != 1 && asked.Role != 2:
		return nil, &refusal{Code: "invalid_role", Message: "1 or 2", Field: "role"}
	case asked.Expire < 1 || asked.Expire > 86400:
		return nil, &refusal{Code: "invalid_expire", Message: "1 to 86400", Field: "expire"}
	}
	uid := uint32(*asked.UID)
	token := w.signer.sign(asked.ChannelName, uid, asked.Role == 1, uint32(now.Unix()), asked.Expire)
	end := now.Unix() + int64(asked.Expire)
	privileges := map[string]int64{"joinChannel": end}
	if asked.Role == 1 {
		privileges["publishAudioStream"] = end
		privileges["publishVideoStream"] = end
		privileges["publishDataStream"] = end
	}
	return &reply{
		Token: token, AppID: w.signer.appID, Service: "rtc", ChannelName: asked.ChannelName, UID: uid,
		IssuedAt: now.Unix(), ExpiresAt: end, ExpiresIn: asked.Expire, RenewAfter: now.Unix() + int64(asked.Expire)*2/3,
		NotifyBefore: []int{}, Privileges: privileges, Warnings: []string{},
	}, nil
}

type worker struct {
	channel *amqp.Channel
	signer  *signer
}

// handle answers a request; it runs in a goroutine of its own, of which the prefetch count bounds the number.
func (w *worker) handle(delivery amqp.Delivery) {
	now := time.Now()
	kind, headers := "token.issued", amqp.Table{"status": "ok", "contractVersion": int64(1)}
	var answer any
	issued, refused := w.issue(delivery.Body, now)
	if refused == nil {
		answer = issued
	} else {
		kind, headers["status"], headers["errorCode"] = "token.error", "error", refused.Code
		answer = map[string]*refusal{"error": refused}
	}
	body, err := json.Marshal(answer)
	if err != nil {
		log.Fatal(err)
	}
	confirmation, err := w.channel.PublishWithDeferredConfirmWithContext(
		context.Background(), "", delivery.ReplyTo, true, false, amqp.Publishing{
			ContentType: "application/json", DeliveryMode: amqp.Persistent, Type: kind, Headers: headers,
			CorrelationId: delivery.CorrelationId, MessageId: fmt.Sprintf("r-%x", w.signer.number()),
			Timestamp: now, AppId: "agora-token", Body: body,
		})
	if err != nil {
		log.Fatal(err)
	}
	if confirmation.Wait() {
		err = delivery.Ack(false)
	} else {
		err = delivery.Nack(false, true)
	}
	if err != nil {
		log.Fatal(err)
	}
}

func main() {
	signer := newSigner(os.Getenv("AGORA_APP_ID"), os.Getenv("AGORA_APP_CERTIFICATE"))
	connection, err := amqp.Dial(os.Getenv("AMQP_URL"))
	if err != nil {
		log.Fatal(err)
	}
	channel, err := connection.Channel()
	if err != nil {
		log.Fatal(err)
	}
	if err := channel.Confirm(false); err != nil {
		log.Fatal(err)
	}
	if err := channel.Qos(250, 0, false); err != nil {
		log.Fatal(err)
	}
	deliveries, err := channel.Consume("agora.tokens.request", "go-worker", false, false, false, false, nil)
	if err != nil {
		log.Fatal(err)
	}

	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, os.Interrupt)
	go func() {
		<-stop
		if err := channel.Cancel("go-worker", false); err != nil { // closes the deliveries
			log.Fatal(err)
		}
	}()

	w := &worker{channel: channel, signer: signer}
	var running sync.WaitGroup
	for delivery := range deliveries {
		running.Add(1)
		go func(delivery amqp.Delivery) {
			defer running.Done()
			w.handle(delivery)
		}(delivery)
	}
	running.Wait()
	if err := connection.Close(); err != nil {
		log.Fatal(err)
	}
}
