#!/usr/bin/ruby
# frozen_string_literal: true

# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: the agora-token authors

# Asks for tokens, and renews one in time, with bunny (Debian: ruby-bunny).
#
#   AMQP_URL=amqp://guest:guest@localhost client.rb

require "bunny"
require "json"
require "securerandom"
require "timeout"

# What the worker says is wrong with a request.
class TokenError < StandardError
  def initialize(error)
    super("#{error["code"]} #{error["field"]}: #{error["message"]}")
  end
end

class TokenClient
  def initialize(connection)
    channel = connection.create_channel
    # Who asks: the broker checks the name, and the notices of this user's leases come under u-NAME.
    @user = connection.user
    @exchange = channel.direct("agora.tokens", passive: true)
    @replies = channel.queue("", exclusive: true)
    @answers = arrivals(@replies)
    notices = channel.queue("", exclusive: true).bind("agora.notices", routing_key: "will_expire.*.u-#{@user}")
    @notices = arrivals(notices)
  end

  def ask(key, message)
    call = SecureRandom.uuid
    @exchange.publish(JSON.generate(message), routing_key: key, persistent: true, content_type: "application/json",
                                              user_id: @user, reply_to: @replies.name, correlation_id: call,
                                              message_id: call)
    reply = await(@answers, 20) { |properties, _| properties.correlation_id == call }
    raise TokenError, reply["error"] if reply["error"]

    reply
  end

  # The notice that says that a lease is about to end.
  def warning(lease)
    await(@notices, 30) { |_, notice| notice["data"]["leaseId"] == lease }["data"]
  end

  private

  # Bunny hands messages over on its own threads; here they queue for the caller's.
  def arrivals(queue)
    Queue.new.tap do |arrived|
      queue.subscribe { |_, properties, body| arrived << [properties, JSON.parse(body)] }
    end
  end

  def await(arrived, seconds)
    Timeout.timeout(seconds) do
      loop do
        properties, body = arrived.pop
        return body if yield(properties, body)
      end
    end
  end
end

def show(reply)
  puts ["token", *reply.values_at("channelName", "uid", "expiresAt", "token")].join(" ")
end

$stdout.sync = true
connection = Bunny.new(ENV.fetch("AMQP_URL")).start
client = TokenClient.new(connection)

# One token, of 16 seconds so that there is something to see.
first = client.ask("request", channelName: "room-1", uid: 1234, role: 1, expire: 16)
show(first)

# Three channels in one go; each result is a reply or an error of its own.
channels = %w[lobby stage backstage].map { |name| { channelName: name, uid: 1234 } }
client.ask("request", requests: channels)["results"].each { |result| show(result) }

begin
  client.ask("request", channelName: "room/1", uid: 1234)
  abort "the slash in the channel's name should have been refused"
rescue TokenError => e
  puts "error #{e.message}"
end

warning = client.warning(first["leaseId"])
puts "will_expire #{warning["channelName"]} in #{warning["expiresIn"]} s"
show(client.ask("renew", token: first["token"]))
connection.close
