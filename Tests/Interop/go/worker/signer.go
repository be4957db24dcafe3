// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: the agora-token authors

package main

import (
	"bytes"
	"compress/zlib"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"log"
	"strconv"
	"sync"
)

// A signer makes 007 tokens for one project.
type signer struct {
	appID, certificate string
	compressors        sync.Pool // a zlib.Writer is expensive to make, and cheap to use again
}

func newSigner(appID, certificate string) *signer {
	if len(appID) != 32 || len(certificate) != 32 {
		log.Fatal("AGORA_APP_ID and AGORA_APP_CERTIFICATE have 32 hexadecimal characters each")
	}
	s := &signer{appID: appID, certificate: certificate}
	s.compressors.New = func() any { return zlib.NewWriter(nil) }
	return s
}

// number returns a random number.
func (s *signer) number() uint32 {
	var bytes [4]byte
	if _, err := rand.Read(bytes[:]); err != nil {
		log.Fatal(err)
	}
	return binary.LittleEndian.Uint32(bytes[:])
}

// sign makes an RTC token; user 0 is any user.
func (s *signer) sign(channel string, uid uint32, publishes bool, issuedAt, lifetime uint32) string {
	account := ""
	if uid != 0 {
		account = strconv.FormatUint(uint64(uid), 10)
	}
	privileges := []uint16{1}
	if publishes {
		privileges = []uint16{1, 2, 3, 4}
	}
	salt := s.number()
	little := binary.LittleEndian

	message := make([]byte, 0, 256)
	message = appendString(message, s.appID)
	message = little.AppendUint32(message, issuedAt)
	message = little.AppendUint32(message, lifetime)
	message = little.AppendUint32(message, salt)
	message = little.AppendUint16(message, 1) // services
	message = little.AppendUint16(message, 1) // RTC
	message = little.AppendUint16(message, uint16(len(privileges)))
	for _, privilege := range privileges {
		message = little.AppendUint16(message, privilege)
		message = little.AppendUint32(message, 0) // as long as the token
	}
	message = appendString(message, channel)
	message = appendString(message, account)

	key := digest(little.AppendUint32(nil, issuedAt), []byte(s.certificate))
	key = digest(little.AppendUint32(nil, salt), key)
	payload := appendString(make([]byte, 0, len(message)+34), string(digest(key, message)))
	payload = append(payload, message...)

	var packed bytes.Buffer
	compressor := s.compressors.Get().(*zlib.Writer)
	defer s.compressors.Put(compressor)
	compressor.Reset(&packed)
	if _, err := compressor.Write(payload); err != nil {
		log.Fatal(err)
	}
	if err := compressor.Close(); err != nil {
		log.Fatal(err)
	}
	return "007" + base64.StdEncoding.EncodeToString(packed.Bytes())
}

func digest(key, message []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write(message)
	return mac.Sum(nil)
}

func appendString(to []byte, text string) []byte {
	return append(binary.LittleEndian.AppendUint16(to, uint16(len(text))), text...)
}
