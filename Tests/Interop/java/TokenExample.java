// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

import com.google.gson.*;
import com.rabbitmq.client.*;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.concurrent.*;
import java.util.function.BiPredicate;

/** Asks for tokens, and renews one in time (Debian: librabbitmq-client-java, libgoogle-gson-java). */
public class TokenExample {
    /** What the worker says is wrong with a request. */
    static class TokenException extends Exception {
        TokenException(JsonObject error) {
            super(text(error, "code") + " " + text(error, "field") + ": " + text(error, "message"));
        }
    }

    /** Who asks: the broker checks the name, and the notices of this user's leases come under u-NAME. */
    private final String user;
    private final Channel channel;
    private final String replyQueue;
    private final BlockingQueue<Delivery> replies = new LinkedBlockingQueue<>();
    private final BlockingQueue<Delivery> notices = new LinkedBlockingQueue<>();

    TokenExample(Connection connection, String user) throws IOException {
        this.user = user;
        channel = connection.createChannel();
        replyQueue = channel.queueDeclare().getQueue();
        String noticeQueue = channel.queueDeclare().getQueue();
        channel.queueBind(noticeQueue, "agora.notices", "will_expire.*.u-" + user);
        channel.basicConsume(replyQueue, true, (tag, delivery) -> replies.add(delivery), tag -> {});
        channel.basicConsume(noticeQueue, true, (tag, delivery) -> notices.add(delivery), tag -> {});
    }

    JsonObject ask(String key, String message) throws Exception {
        String call = UUID.randomUUID().toString();
        AMQP.BasicProperties properties = new AMQP.BasicProperties.Builder()
            .contentType("application/json").deliveryMode(2).userId(user)
            .replyTo(replyQueue).correlationId(call).messageId(call).build();
        channel.basicPublish("agora.tokens", key, properties, message.getBytes(StandardCharsets.UTF_8));
        JsonObject reply = await(replies, 20, (its, body) -> call.equals(its.getCorrelationId()));
        if (reply.has("error")) throw new TokenException(reply.getAsJsonObject("error"));
        return reply;
    }

    /** The notice that says that a lease is about to end. */
    JsonObject warning(String lease) throws Exception {
        return await(notices, 30, (its, body) -> lease.equals(text(body, "subject"))).getAsJsonObject("data");
    }

    private static JsonObject await(
            BlockingQueue<Delivery> arrivals, long seconds, BiPredicate<AMQP.BasicProperties, JsonObject> fits)
            throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (true) {
            Delivery delivery = arrivals.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (delivery == null) throw new TimeoutException("nothing came within " + seconds + " s");
            String text = new String(delivery.getBody(), StandardCharsets.UTF_8);
            JsonObject body = JsonParser.parseString(text).getAsJsonObject();
            if (fits.test(delivery.getProperties(), body)) return body;
        }
    }

    private static String text(JsonObject object, String name) {
        return object.has(name) ? object.get(name).getAsString() : "-";
    }

    private static void show(JsonObject reply) {
        System.out.println(String.join(" ", "token", text(reply, "channelName"), text(reply, "uid"),
            text(reply, "expiresAt"), text(reply, "token")));
    }

    public static void main(String[] arguments) throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(System.getenv("AMQP_URL"));
        try (Connection connection = factory.newConnection()) {
            TokenExample client = new TokenExample(connection, factory.getUsername());

            // One token, of 16 seconds so that there is something to see.
            JsonObject first = client.ask("request", """
                {"channelName":"room-1","uid":1234,"role":1,"expire":16}""");
            show(first);

            // Three channels in one go; each result is a reply or an error of its own.
            JsonObject batch = client.ask("request", """
                {"requests":[{"channelName":"lobby","uid":1234},{"channelName":"stage","uid":1234},
                {"channelName":"backstage","uid":1234}]}""");
            for (JsonElement result : batch.getAsJsonArray("results")) show(result.getAsJsonObject());

            try {
                client.ask("request", """
                    {"channelName":"room/1","uid":1234}""");
                throw new IllegalStateException("the slash in the channel's name should have been refused");
            } catch (TokenException refusal) {
                System.out.println("error " + refusal.getMessage());
            }

            JsonObject warning = client.warning(text(first, "leaseId"));
            System.out.println("will_expire " + text(warning, "channelName") + " in " + text(warning, "expiresIn") + " s");
            JsonObject renewal = new JsonObject();
            renewal.add("token", first.get("token"));
            show(client.ask("renew", renewal.toString()));
        }
    }
}
