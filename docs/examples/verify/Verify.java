import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.function.UnaryOperator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

class Verify {
    /** header: request::getHeader. content: the raw body, for GET the raw query string. */
    static boolean verifyWebhook(String secret, UnaryOperator<String> header, byte[] content)
            throws GeneralSecurityException {
        String timestamp = header.apply("webhook-timestamp");
        String signatures = header.apply("webhook-signature");
        if (timestamp == null || signatures == null) return false;
        byte[] key = Base64.getDecoder().decode(secret.replace("whsec_", ""));
        if (key.length == 0) return false; // Anyone can sign with an empty key.
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        mac.update((header.apply("webhook-id") + "." + timestamp + ".").getBytes(UTF_8));
        byte[] expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(content))).getBytes(UTF_8);
        for (String signature : signatures.split(" "))
            if (MessageDigest.isEqual(signature.getBytes(UTF_8), expected))
                return Math.abs(System.currentTimeMillis() / 1000 - Long.parseLong(timestamp)) <= 300;
        return false;
    }
}
