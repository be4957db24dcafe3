// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

// Asks for tokens, and renews one in time, with amqp091-go (Debian: golang-github-rabbitmq-amqp091-go-dev).
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

// An object is a message to the worker.
type object map[string]any

// A reply is what the worker answers, and the data of a notice.
type reply struct {
	Token, LeaseID, ChannelName string
	UID                         uint32
	ExpiresAt, ExpiresIn        int64
	Results                     []reply
	Error                       *refusal
}

// A refusal is what the worker says is wrong with a request.
type refusal struct{ Code, Field, Message string }

func (r *refusal) Error() string { return fmt.Sprintf("%s %s: %s", r.Code, r.Field, r.Message) }

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func consume(channel *amqp.Channel) (string, <-chan amqp.Delivery) {
	queue := must(channel.QueueDeclare("", false, false, true, false, nil)).Name // named by the broker, ours alone
	return queue, must(channel.Consume(queue, "", true, true, false, false, nil))
}

// receive returns the first delivery that fits.
func receive(from <-chan amqp.Delivery, limit time.Duration, fits func(amqp.Delivery) bool) (amqp.Delivery, error) {
	timeout := time.After(limit)
	for {
		select {
		case <-timeout:
			return amqp.Delivery{}, fmt.Errorf("nothing came within %s", limit)
		case delivery, open := <-from:
			if !open {
				return delivery, amqp.ErrClosed
			}
			if fits(delivery) {
				return delivery, nil
			}
		}
	}
}

func show(r reply) { fmt.Println("token", r.ChannelName, r.UID, r.ExpiresAt, r.Token) }

func main() {
	url := os.Getenv("AMQP_URL")
	// Who asks: the broker checks the name, and the notices of this user's leases come under u-NAME.
	user := must(amqp.ParseURI(url)).Username
	connection := must(amqp.Dial(url))
	defer connection.Close()
	channel := must(connection.Channel())
	replyQueue, replies := consume(channel)
	noticeQueue, notices := consume(channel)
	if err := channel.QueueBind(noticeQueue, "will_expire.*.u-"+user, "agora.notices", false, nil); err != nil {
		log.Fatal(err)
	}

	calls := 0
	ask := func(key string, message object) (answer reply, err error) {
		calls++
		call := fmt.Sprint(calls)
		err = channel.Publish("agora.tokens", key, false, false, amqp.Publishing{
			ContentType: "application/json", DeliveryMode: amqp.Persistent, UserId: user,
			ReplyTo: replyQueue, CorrelationId: call, Body: must(json.Marshal(message)),
		})
		if err != nil {
			return answer, err
		}
		delivery, err := receive(replies, 20*time.Second, func(d amqp.Delivery) bool { return d.CorrelationId == call })
		if err != nil {
			return answer, err
		}
		if err = json.Unmarshal(delivery.Body, &answer); err == nil && answer.Error != nil {
			err = answer.Error
		}
		return answer, err
	}

	// One token, of 16 seconds so that there is something to see.
	first := must(ask("request", object{"channelName": "room-1", "uid": 1234, "role": 1, "expire": 16}))
	show(first)

	// Three channels in one go; each result is a reply or an error of its own.
	var three []object
	for _, name := range []string{"lobby", "stage", "backstage"} {
		three = append(three, object{"channelName": name, "uid": 1234})
	}
	for _, result := range must(ask("request", object{"requests": three})).Results {
		show(result)
	}

	_, err := ask("request", object{"channelName": "room/1", "uid": 1234})
	if refused := (*refusal)(nil); !errors.As(err, &refused) {
		log.Fatal("the slash in the channel's name should have been refused: ", err)
	}
	fmt.Println("error", err)

	var notice struct{ Data reply }
	must(receive(notices, 30*time.Second, func(d amqp.Delivery) bool {
		return json.Unmarshal(d.Body, &notice) == nil && notice.Data.LeaseID == first.LeaseID
	}))
	fmt.Println("will_expire", notice.Data.ChannelName, "in", notice.Data.ExpiresIn, "s")
	show(must(ask("renew", object{"token": first.Token})))
}
